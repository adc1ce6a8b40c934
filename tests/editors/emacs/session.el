;;; session.el --- What a person does in one rule file, by eglot or lsp-mode  -*- lexical-binding: t; -*-

;;; Commentary:

;; Prints one JSON object a line; any error ends Emacs with exit code 1.  TEST_CLIENT is eglot or lsp-mode.

;;; Code:

(package-initialize)
(require 'json)
(require 'flymake)
(load (getenv "TEST_PACKAGE") nil t)
(setq make-backup-files nil create-lockfiles nil auto-save-default nil
      eldoc-idle-delay 0 lsp-auto-guess-root t lsp-session-file (expand-file-name "lsp-session" (getenv "HOME"))
      lsp-enable-file-watchers nil lsp-diagnostics-provider :flymake lsp-warn-no-matched-clients nil
      lsp-restart 'ignore lsp-completion-provider :none lsp-headerline-breadcrumb-enable nil
      lsp-modeline-code-actions-enable nil lsp-modeline-diagnostics-enable nil)

(defun say (key value)
  "Print VALUE under KEY."
  (princ (concat (json-encode (list (cons key value))) "\n")))

(defun wait-for (what condition)
  "Wait until CONDITION, which is called WHAT, is true."
  (let ((end (+ (float-time) 30)) found)
    (while (not (setq found (funcall condition)))
      (when (> (float-time) end) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.02))
    found))

(defun diagnostics ()
  "The diagnostics of the buffer.  Without a display nothing happens by itself when Emacs is idle."
  (when (bound-and-true-p eglot--managed-mode) (eglot--signal-textDocument/didChange))
  (flymake-start)
  (flymake-diagnostics))

(defun show-diagnostic ()
  "Say the first diagnostic and the text that it marks."
  (let ((found (car (wait-for "the diagnostic" #'diagnostics))))
    (say 'diagnostic
         (list (flymake-diagnostic-text found)
               (buffer-substring-no-properties (flymake-diagnostic-beg found) (flymake-diagnostic-end found))))
    (goto-char (flymake-diagnostic-beg found))))

(defun offered (begin)
  "What completion at point offers for the text since BEGIN."
  (pcase (run-hook-wrapped 'completion-at-point-functions #'completion--capf-wrapper 'all)
    (`(,_ ,_ ,_ ,table . ,_) (sort (all-completions (buffer-substring begin (point)) table) #'string<))))

(defun first-line (text)
  "The first line of TEXT that says something."
  (car (split-string (substring-no-properties text) "\n" t "[` \t]+")))

;; What differs between the clients.

(defun hover-by-eglot ()
  "What stands under the cursor, by eldoc."
  (let (told)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq told text)))
    (wait-for "the hover" (lambda () told))))

(defun start-eglot ()
  "Start the server by eglot."
  (setq eglot-sync-connect 30 eglot-connect-timeout 30)
  (require 'eglot)
  (apply #'eglot--connect (eglot--guess-contact))
  (eglot--maybe-activate-editing-mode)
  (flymake-mode 1))

(defun repair-by-eglot ()
  "Apply the preferred action at point."
  (let ((action (seq-find (lambda (each) (eq t (plist-get each :isPreferred)))
                          (eglot-code-actions (point) (point)))))
    (say 'action (plist-get action :title))
    (eglot--apply-workspace-edit (plist-get action :edit))))

(defun stop-eglot ()
  "Stop the server of eglot.  An answer to the shutdown that does not come is an error."
  (let* ((server (eglot-current-server)) (process (jsonrpc--process server)))
    (eglot-shutdown server nil 30)
    process))

(defun start-lsp ()
  "Start the server by `lsp-mode'."
  (require 'lsp-mode)
  (require 'lsp-completion)
  (require 'lsp-diagnostics)
  (require 'lsp-lens)
  (lsp)
  (wait-for "the server" (lambda () (and lsp-mode (lsp-workspaces)
                                         (eq 'initialized (lsp--workspace-status (car (lsp-workspaces)))))))
  (lsp-completion-mode 1)
  (lsp-diagnostics--flymake-setup))

(defun hover-by-lsp ()
  "What stands under the cursor."
  (lsp:markup-content-value
   (lsp:hover-contents (lsp-request "textDocument/hover" (lsp--text-document-position-params)))))

(defun repair-by-lsp ()
  "Apply the preferred action at point."
  (let ((action (seq-find #'lsp:code-action-is-preferred? (lsp-code-actions-at-point))))
    (say 'action (lsp:code-action-title action))
    (lsp-execute-code-action action)))

(defun lens-of (words)
  "The command of the lens that says WORDS."
  (let* ((lenses (lsp-request "textDocument/codeLens" (list :textDocument (lsp--text-document-identifier))))
         (told (seq-map (lambda (each) (lsp:code-lens-command? (lsp-request "codeLens/resolve" each))) lenses)))
    (seq-find (lambda (each) (string-match-p words (lsp:command-title each))) told)))

(defun list-by-lsp ()
  "Run the lenses of the pattern and of the tools."
  (lsp-request "workspace/executeCommand"
               (list :command "rulesLsp.serverState" :arguments (vector '(:settled t))))
  (save-current-buffer
    (save-window-excursion
      (let ((tools (lens-of "tools\\'")) (files (lens-of "net")))
        (lsp--execute-command tools)
        (say 'tool (with-current-buffer "*Tools*" (buffer-substring (point-min) (line-end-position))))
        (say 'lens (lsp:command-title files))
        (lsp--execute-command files)
        (say 'file (progn (goto-char (point-min)) (forward-line 1) (dired-get-filename t)))))))

(defun stop-lsp ()
  "Stop the server of `lsp-mode'."
  (let* ((workspace (car (lsp-workspaces))) (process (lsp--workspace-proc workspace)))
    (lsp-workspace-shutdown workspace)
    process))

(defconst by-client
  '(("eglot" start-eglot repair-by-eglot hover-by-eglot ignore stop-eglot)
    ("lsp-mode" start-lsp repair-by-lsp hover-by-lsp list-by-lsp stop-lsp)))

(defun session (start repair hover list-files stop)
  "Do it all with START, REPAIR, HOVER, LIST-FILES and STOP."
  (find-file ".coding-agent-rules.yaml")
  (say 'mode major-mode)
  (funcall start)
  (show-diagnostic)
  (funcall repair)
  (wait-for "the diagnostic to go" (lambda () (null (diagnostics))))
  (say 'repaired (buffer-substring-no-properties (line-beginning-position) (line-end-position)))
  (goto-char (point-min))
  (search-forward "github")
  (say 'hover (first-line (funcall hover)))
  (say 'answers (vector (rules-lsp-file-allowed-p "k.pem") (rules-lsp-file-allowed-p "src/a.py")
                        (rules-lsp-tool-allowed-p "github/x") (rules-lsp-tool-allowed-p "Read")))
  (goto-char (point-max))
  (insert "fil")
  (say 'completion (offered (line-beginning-position)))
  (wait-for "the diagnostic of what was typed" #'diagnostics)
  (delete-region (line-beginning-position) (point-max))
  (wait-for "the diagnostic to go again" (lambda () (null (diagnostics))))
  (say 'cleared t)
  (funcall list-files)
  (set-buffer-modified-p nil)
  (let ((process (funcall stop)))
    (wait-for "the server to end" (lambda () (not (process-live-p process)))))
  (say 'without (rules-lsp-file-allowed-p "src/a.py")))

(condition-case problem
    (apply #'session (cdr (assoc (getenv "TEST_CLIENT") by-client)))
  (error (message "FAIL %S" problem) (kill-emacs 1)))
(kill-emacs 0)

;;; session.el ends here
