import type { Outcome } from '@fairlot/contract'
import { until } from '../testing/wait.ts'

/** What came of a change: it was answered, refused, or nobody knows. */
export type Told = 'acknowledged' | 'refused' | 'unknown'

/** A change that somebody asked for, under a name of its own. */
export type Note = {
  readonly accountId: number
  /** The endpoint's name, as the journal keeps it. */
  readonly call: string
  readonly requestId: string
  told: Told
  /** Why, where it was refused or is unknown. */
  reason: string | null
  /** The order that an acknowledgement names. */
  orderId: number | null
  /** Nobody knew what came of it when it was first sent. */
  readonly wasUnknown: boolean
  /** It was in the journal before anybody asked again. */
  wasThere: boolean
  readonly repeat: () => Promise<Outcome<unknown>>
}

/** Refusals that do not say what became of the change. */
const UNDECIDED = new Set([
  ...['network', 'cancelled', 'unreadable', 'engineUnavailable', 'internal', 'tooManyRequests'],
])
const SETTLED_WITHIN_MS = 60_000

/** Everything that was asked of a server and what it said. */
export type Notebook = {
  /** Sends a change and writes down what comes of it. */
  make(change: Pick<Note, 'accountId' | 'call' | 'requestId' | 'repeat'>): Promise<Note>
  /** The changes of this round. */
  readonly notes: readonly Note[]
  /** Asks again for every change nobody knows about, until there is an answer. */
  settle(): Promise<void>
  /** Asks again for some that were acknowledged; a sentence for each that is now told otherwise. */
  repeatSome(count: number): Promise<string[]>
  /** Ends the round and answers its notes. */
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
      const note = { ...change, ...reading, wasUnknown: reading.told === 'unknown', wasThere: false }
      notes.push(note)
      return note
    },
    settle: async () => {
      await Promise.all(notes.filter(({ told }) => told === 'unknown').map(settleOne))
    },
    repeatSome: async (count) => {
      const known = notes.filter(({ told, wasUnknown }) => told === 'acknowledged' && !wasUnknown)
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

function readingOf(outcome: Outcome<unknown>): Pick<Note, 'told' | 'reason' | 'orderId'> {
  if (outcome.ok) return { told: 'acknowledged', reason: null, orderId: idIn(outcome.value) }
  const told = UNDECIDED.has(outcome.reason) ? 'unknown' : 'refused'
  return { told, reason: outcome.reason, orderId: null }
}

const idIn = (value: unknown): number | null =>
  typeof value === 'object' && value !== null && 'id' in value ? Number(value.id) : null

const settleOne = (note: Note): Promise<void> =>
  until(`a definite answer to ${note.call} ${note.requestId}`, SETTLED_WITHIN_MS, async () => {
    const reading = readingOf(await note.repeat())
    Object.assign(note, reading)
    return reading.told === 'unknown' ? null : true
  }).then(() => undefined)

async function repeatOne({ call, requestId, orderId, repeat }: Note): Promise<string | null> {
  const again = readingOf(await repeat())
  if (again.told === 'acknowledged' && again.orderId === orderId) return null
  return `${call} ${requestId} was acknowledged (order ${orderId}), asked again: ${again.told} ${again.reason ?? again.orderId}`
}
