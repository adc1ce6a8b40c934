;;; rules-lsp.el --- What coding agents may do: language server  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts `rules-lsp' for rule files by eglot or by lsp-mode, whichever is used:
;;
;;   (require 'rules-lsp)
;;   (add-hook 'rules-lsp-yaml-mode-hook #'eglot-ensure)      ; or #'lsp
;;   (add-hook 'rules-lsp-markdown-mode-hook #'eglot-ensure)
;;   (add-hook 'rules-lsp-json-mode-hook #'eglot-ensure)
;;
;; Rule files, and the files that tell an agent what to do, have modes of their
;; own, so that other YAML, Markdown and JSON files keep the servers that they
;; have.

;;; Code:

(require 'seq)

(defgroup rules-lsp nil
  "What coding agents may do in a project."
  :group 'tools)

(defcustom rules-lsp-command '("rules-lsp" "serve" "--stdio")
  "The words of the command that starts the server."
  :type '(repeat string))

(defun rules-lsp--first-mode (&rest modes)
  "Enable the first of MODES that is there."
  (funcall (seq-find #'fboundp modes)))

(defun rules-lsp--yaml ()
  "Enable the mode for YAML that is there."
  (rules-lsp--first-mode 'yaml-mode 'yaml-ts-mode 'conf-mode))

(defun rules-lsp--markdown ()
  "Enable the mode for Markdown that is there."
  (rules-lsp--first-mode 'markdown-mode 'markdown-ts-mode 'text-mode))

(defun rules-lsp--json ()
  "Enable the mode for JSON with comments that is there."
  (rules-lsp--first-mode 'jsonc-mode 'json-mode 'js-json-mode 'js-mode))

;;;###autoload
(define-derived-mode rules-lsp-yaml-mode rules-lsp--yaml "Rules"
  "Rules of coding agents in YAML.")

;;;###autoload
(define-derived-mode rules-lsp-markdown-mode rules-lsp--markdown "Rules"
  "Rules of coding agents in Markdown.")

;;;###autoload
(define-derived-mode rules-lsp-json-mode rules-lsp--json "Rules"
  "What coding agents are told, in JSON.")

(put 'rules-lsp-yaml-mode 'eglot-language-id "yaml")
(put 'rules-lsp-markdown-mode 'eglot-language-id "markdown")
(put 'rules-lsp-json-mode 'eglot-language-id "jsonc")

;;;###autoload
(dolist (place '(("/\\.coding-agent-rules\\.yaml\\'" . rules-lsp-yaml-mode)
                 ("/\\.coding-agent-rules\\.md\\'" . rules-lsp-markdown-mode)
                 ("/\\.auto-prompter\\.yaml\\'" . rules-lsp-yaml-mode)
                 ("/AGENTS\\(?:\\.override\\)?\\.md\\'" . rules-lsp-markdown-mode)
                 ("/\\.a0proj/instructions/[^/]+\\.md\\'" . rules-lsp-markdown-mode)
                 ("/\\.a0proj/\\(?:project\\|mcp_servers\\)\\.json\\'" . rules-lsp-json-mode)
                 ("/\\.shaft/\\(?:.*/\\)?templates/.*\\.json\\'" . rules-lsp-json-mode)))
  (add-to-list 'auto-mode-alist place))

(defun rules-lsp--get (object key)
  "Get the value of KEY, a string, in OBJECT as either client gives it."
  (if (hash-table-p object)
      (gethash key object)
    (plist-get object (intern (concat ":" key)))))

;;; eglot

(defvar eglot-server-programs)

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons '(rules-lsp-yaml-mode rules-lsp-markdown-mode rules-lsp-json-mode)
                     (lambda (&rest _) rules-lsp-command))))

;;; lsp-mode

(defvar lsp-language-id-configuration)
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(declare-function lsp-request "ext:lsp-mode")
(declare-function lsp:command-arguments? "ext:lsp-protocol")
(declare-function lsp:command-command "ext:lsp-protocol")
(declare-function lsp:location-uri "ext:lsp-protocol")
(declare-function lsp--uri-to-path "ext:lsp-mode")

(defun rules-lsp--listed (action)
  "What the lens counts that sends ACTION, a list of objects."
  (lsp-request "workspace/executeCommand"
               (list :command (lsp:command-command action)
                     :arguments (lsp:command-arguments? action))))

(defun rules-lsp--show-files (action)
  "List the files of the lens that sends ACTION."
  (let ((files (seq-map (lambda (each) (lsp--uri-to-path (lsp:location-uri each)))
                        (rules-lsp--listed action))))
    (if files
        (dired (cons default-directory (seq-map #'file-relative-name files)))
      (message "Nothing is there any more"))))

(defun rules-lsp--show-tools (action)
  "List the tools of the lens that sends ACTION."
  (with-output-to-temp-buffer "*Tools*"
    (seq-doseq (each (rules-lsp--listed action))
      (princ (format "%s  %s\n"
                     (if (eq t (rules-lsp--get each "allowed")) "allowed" "denied")
                     (rules-lsp--get each "tool"))))))

(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(rules-lsp-yaml-mode . "yaml"))
  (add-to-list 'lsp-language-id-configuration '(rules-lsp-markdown-mode . "markdown"))
  (add-to-list 'lsp-language-id-configuration '(rules-lsp-json-mode . "jsonc"))
  (let ((handlers (make-hash-table :test #'equal)))
    (puthash "rulesLsp.showFiles" #'rules-lsp--show-files handlers)
    (puthash "rulesLsp.showTools" #'rules-lsp--show-tools handlers)
    (lsp-register-client
     (make-lsp-client
      :server-id 'rules-lsp
      :new-connection (lsp-stdio-connection (lambda () rules-lsp-command))
      :major-modes '(rules-lsp-yaml-mode rules-lsp-markdown-mode rules-lsp-json-mode)
      :action-handlers handlers))))

;;; Questions

(declare-function eglot-current-server "ext:eglot")
(declare-function jsonrpc-request "jsonrpc")

(defun rules-lsp--ask (command query)
  "Ask the server of this buffer COMMAND with QUERY, a plist."
  (let ((parameters (list :command command :arguments (vector query))))
    (cond ((and (fboundp 'eglot-current-server) (eglot-current-server))
           (jsonrpc-request (eglot-current-server) :workspace/executeCommand parameters))
          ((bound-and-true-p lsp-managed-mode)
           (lsp-request "workspace/executeCommand" parameters))
          (t (error "No server runs for this buffer")))))

(defun rules-lsp--allowed-p (command query)
  "Ask COMMAND with QUERY and return t if it is allowed; no answer is nil."
  (let ((answer (ignore-errors (rules-lsp--ask command query))))
    (eq t (rules-lsp--get answer "allowed"))))

(defun rules-lsp-file-allowed-p (path &optional operation)
  "Return t if an agent may change the file at PATH.
OPERATION is \"write\" if nil, or \"read\", \"create\" or \"delete\".  Where no
server answers, it may not.  The buffer's server is asked."
  (rules-lsp--allowed-p "rulesLsp.isFileAllowed"
                        (list :path (expand-file-name path) :operation (or operation "write"))))

(defun rules-lsp-tool-allowed-p (name)
  "Return t if an agent may call the tool NAME, like \"github/get_issue\".
Where no server answers, it may not.  The buffer's server is asked."
  (rules-lsp--allowed-p "rulesLsp.isToolAllowed" (list :tool name)))

(provide 'rules-lsp)
;;; rules-lsp.el ends here
