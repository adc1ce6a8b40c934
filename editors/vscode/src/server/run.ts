/** Programs that answer in a few words. */
import { execFile } from 'node:child_process';

export interface Answer {
  readonly ok: boolean;
  readonly output: string;
  readonly error: string;
}

/** Runs a program without a shell or an input and never throws; one that takes longer than `seconds` has failed. */
export function run(argv: readonly string[], options: { cwd: string; seconds: number }): Promise<Answer> {
  const [program = '', ...rest] = argv;
  return new Promise((resolve) => {
    const child = execFile(
      program,
      rest,
      { cwd: options.cwd, timeout: options.seconds * 1000, encoding: 'utf8', windowsHide: true },
      (error, stdout, stderr) => {
        const said = stderr.trim() || (error?.message ?? '');
        resolve({ ok: error === null, output: stdout.trim(), error: said });
      },
    );
    child.stdin?.end();
  });
}
