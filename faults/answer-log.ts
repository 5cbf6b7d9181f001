import type { Outcome } from '@fairlot/contract'
import { until } from '../testing/wait.ts'

/** The outcome of a change: answered, rejected, or unknown. */
export type Reading = 'acknowledged' | 'refused' | 'unknown'

/** A requested change with its own request id. */
export type Note = {
  readonly accountId: number
  /** The endpoint's name, as the journal keeps it. */
  readonly call: string
  readonly requestId: string
  reading: Reading
  /** The reason of a rejection, or why the outcome is unknown. */
  reason: string | null
  /** The order that an acknowledgement names. */
  orderId: number | null
  /** The outcome was unknown when it was first sent. */
  readonly wasUnknown: boolean
  /** It was in the journal before it was sent again. */
  wasThere: boolean
  readonly repeat: () => Promise<Outcome<unknown>>
}

/** Rejections that leave the outcome unknown. */
const UNDECIDED = new Set([
  'network',
  'cancelled',
  'unreadable',
  'engineUnavailable',
  'internal',
  'tooManyRequests',
])
const SETTLED_WITHIN_MS = 60_000

/** Records all changes sent to a server and their outcomes. */
export type Notebook = {
  /** Sends a change and records its outcome. */
  make(change: Pick<Note, 'accountId' | 'call' | 'requestId' | 'repeat'>): Promise<Note>
  readonly notes: readonly Note[]
  /** Repeats every change with an unknown outcome until there is an answer. */
  settle(): Promise<void>
  /** Repeats some acknowledged changes; returns a problem for each that now has another outcome. */
  repeatSome(count: number): Promise<string[]>
  /** Ends the round and returns its changes. */
  turnPage(): readonly Note[]
}

export function createNotebook(): Notebook {
  let notes: Note[] = []
  return {
    get notes() {
      return notes
    },
    make: async (change) => {
      const outcome = await change.repeat()
      const reading = readingOf(outcome)
      const note = { ...change, ...reading, wasUnknown: reading.reading === 'unknown', wasThere: false }
      notes.push(note)
      return note
    },
    settle: async () => {
      await Promise.all(notes.filter(({ reading }) => reading === 'unknown').map(settleOne))
    },
    repeatSome: async (count) => {
      const known = notes.filter(({ reading, wasUnknown }) => reading === 'acknowledged' && !wasUnknown)
      const complaints = await Promise.all(known.slice(-count).map(repeatOne))
      return complaints.filter((complaint) => complaint !== null)
    },
    turnPage: () => {
      const page = notes
      notes = []
      return page
    },
  }
}

function readingOf(outcome: Outcome<unknown>): Pick<Note, 'reading' | 'reason' | 'orderId'> {
  if (outcome.ok) return { reading: 'acknowledged', reason: null, orderId: idIn(outcome.value) }
  const reading = UNDECIDED.has(outcome.reason) ? 'unknown' : 'refused'
  return { reading, reason: outcome.reason, orderId: null }
}

const idIn = (value: unknown): number | null =>
  typeof value === 'object' && value !== null && 'id' in value ? Number(value.id) : null

const settleOne = (note: Note): Promise<void> =>
  until(`a definite answer to ${note.call} ${note.requestId}`, SETTLED_WITHIN_MS, async () => {
    const reading = readingOf(await note.repeat())
    Object.assign(note, reading)
    return reading.reading === 'unknown' ? null : true
  }).then(() => undefined)

async function repeatOne({ call, requestId, orderId, repeat }: Note): Promise<string | null> {
  const again = readingOf(await repeat())
  if (again.reading === 'acknowledged' && again.orderId === orderId) return null
  return `${call} ${requestId} was acknowledged (order ${orderId}), repeated: ${again.reading} ${again.reason ?? again.orderId}`
}
