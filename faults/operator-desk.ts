/** The outcomes that the desk of a server under test has printed, compared with the journal. */
import type { JournalReader } from './journal-reader.ts'
import type { Tally } from './tally.ts'
import { until } from '../testing/wait.ts'

/** Printed when the desk is paused. */
export const DESK_PAUSED = 'The desk is paused.'
const ANSWER = 'Desk outcome: '
const PAUSED_WITHIN_MS = 60_000

/** The outcome of an action. */
type Answered = { readonly name: string; readonly isAccepted: boolean }

export const lineOf = (answered: Answered): string => `${ANSWER}${JSON.stringify(answered)}`

export type Desk = {
  /** Processes a line of the server's output. */
  onLine(line: string): void
  /** Starts or pauses it; `rest` resolves once nothing is in progress. */
  work(): void
  rest(): Promise<void>
  /** Counts accepted actions that are missing or duplicated in the journal, and rejected ones that are there. */
  check(journal: JournalReader, tally: Tally): void
}

/** `say` writes a line to the standard input of the server. */
export function createDesk(say: (line: string) => void): Desk {
  const answers: Answered[] = []
  let rests = 0
  return {
    onLine: (line) => {
      if (line === DESK_PAUSED) rests += 1
      // The last line of a killed process may be incomplete.
      else if (line.startsWith(ANSWER) && line.endsWith('}'))
        answers.push(JSON.parse(line.slice(ANSWER.length)) as Answered)
    },
    work: () => say('work'),
    rest: async () => {
      const before = rests
      say('pause')
      await until('the desk is paused', PAUSED_WITHIN_MS, async () => (rests > before ? true : null))
    },
    check: (journal, tally) => {
      for (const { name, isAccepted } of answers) {
        const count = journal.actions(name)
        if (isAccepted) tally.acknowledged += 1
        else tally.refused += 1
        if (isAccepted && count === 0) tally.lost += 1
        if (count > 1) tally.doubled += 1
        if (!isAccepted && count > 0) tally.wrong.push(`${name} was refused and has happened`)
      }
      answers.length = 0
    },
  }
}
