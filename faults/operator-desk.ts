/** The desk of a server under test: what it has been answered, and whether the journal says the same. */
import type { JournalTruth } from './journal-truth.ts'
import type { Tally } from './tally.ts'
import { until } from '../testing/wait.ts'

/** The desk has come to rest. */
export const DESK_RESTS = 'The desk rests.'
const ANSWER = 'The desk was answered: '
const RESTS_WITHIN_MS = 60_000

/** What became of an act: of one that has no answer nobody knows. */
type Answered = { readonly name: string; readonly isAccepted: boolean }

export const lineOf = (answered: Answered): string => `${ANSWER}${JSON.stringify(answered)}`

export type Desk = {
  /** Takes a line of the server's output. */
  hear(line: string): void
  /** Lets it work, or rest; `rest` resolves once nothing of it is under way any more. */
  work(): void
  rest(): Promise<void>
  /** Counts what was answered and is not in the journal, or twice, or was refused and is there. */
  check(truth: JournalTruth, tally: Tally): void
}

/** `say` writes a line to the standard input of the server. */
export function createDesk(say: (line: string) => void): Desk {
  const answers: Answered[] = []
  let rests = 0
  return {
    hear: (line) => {
      if (line === DESK_RESTS) rests += 1
      // The last line of a process that was killed may be cut in two.
      else if (line.startsWith(ANSWER) && line.endsWith('}'))
        answers.push(JSON.parse(line.slice(ANSWER.length)) as Answered)
    },
    work: () => say('work'),
    rest: async () => {
      const before = rests
      say('rest')
      await until('the desk rests', RESTS_WITHIN_MS, async () => (rests > before ? true : null))
    },
    check: (truth, tally) => {
      for (const { name, isAccepted } of answers) {
        const count = truth.acts(name)
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
