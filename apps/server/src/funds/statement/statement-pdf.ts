import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { StatementDocument } from './statement-document.ts'

/** The answer of the child process. */
export type PdfAnswer = { readonly pdf: Uint8Array } | { readonly problem: string }

const PROGRAM = fileURLToPath(new URL('./statement-program.ts', import.meta.url))
const WITHIN_MS = 60_000

/**
 * Prints a document as PDF in a child process: typesetting thousands of rows takes seconds and hundreds of megabytes,
 * which are freed when it exits, and this process never loads the library and its fonts. Throws if the document cannot
 * be typeset, or not within a minute.
 */
export async function printPdf(document: StatementDocument): Promise<Buffer> {
  const child = fork(PROGRAM, [], { execArgv: [], serialization: 'advanced' })
  try {
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`the process that typesets statements exited with ${String(code ?? signal)}`)
    })
    const answered = once(child, 'message', { signal: AbortSignal.timeout(WITHIN_MS) })
    child.send(document)
    const [answer] = (await Promise.race([answered, ended])) as [PdfAnswer]
    ended.catch(() => undefined)
    answered.catch(() => undefined)
    if ('problem' in answer) throw new Error(answer.problem)
    return Buffer.from(answer.pdf)
  } finally {
    child.kill('SIGKILL')
  }
}
