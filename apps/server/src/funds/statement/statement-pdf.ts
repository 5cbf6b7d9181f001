import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { StatementDocument } from './statement-document.ts'

/** What the program answers. */
export type PdfAnswer = { readonly pdf: Uint8Array } | { readonly problem: string }

const PROGRAM = fileURLToPath(new URL('./statement-program.ts', import.meta.url))
const WITHIN_MS = 60_000

/**
 * A document as PDF, made in a process of its own: setting thousands of rows takes seconds and hundreds of megabytes, which are given
 * back with it, and neither the library nor its fonts are ever in this one. Rejects for what cannot be set, or not within a minute.
 */
export async function printPdf(document: StatementDocument): Promise<Buffer> {
  const child = fork(PROGRAM, [], { execArgv: [], serialization: 'advanced' })
  try {
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`the process that sets statements has ended with ${String(code ?? signal)}`)
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
