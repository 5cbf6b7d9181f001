import type { DeskOperator } from './operator.ts'

/** What a page of the desk may have to fetch again: the word after `/desk/api/` in the path of its calls. */
export type DeskTopic =
  | ('waiting' | 'people' | 'market' | 'content' | 'messages' | 'acts')
  | ('operators' | 'settings' | 'payments' | 'support')

/** A page of the desk that is open. */
export type DeskReader = {
  readonly operator: DeskOperator
  readonly tokenHash: string
  readonly send: (text: string) => void
  readonly close: () => void
  /** The case it shows, such as `approval:3`. */
  viewing: string | null
}

/** The open pages of the desk: told what changed, and who looks at the same case. Figures they fetch themselves. */
export type DeskHub = {
  add(reader: DeskReader): () => void
  changed(...topics: DeskTopic[]): void
  view(reader: DeskReader, caseKey: string | null): void
  /** Closes the pages of a session that is over. */
  forget(tokenHash: string): void
}

/** Changes of this long are told together, ms. */
const TOGETHER_MS = 250

export function createDeskHub(): DeskHub {
  const readers = new Set<DeskReader>()
  const waiting = new Set<DeskTopic>()
  let timer: NodeJS.Timeout | null = null

  const tell = () => {
    timer = null
    const text = JSON.stringify({ type: 'changed', topics: [...waiting] })
    waiting.clear()
    for (const reader of readers) reader.send(text)
  }
  const tellViewers = (caseKey: string | null) => {
    if (caseKey === null) return
    const viewers = [...readers].filter(({ viewing }) => viewing === caseKey)
    const operators = [...new Set(viewers.map(({ operator }) => operator.name))]
    const text = JSON.stringify({ type: 'viewing', caseKey, operators })
    for (const reader of viewers) reader.send(text)
  }
  const view = (reader: DeskReader, caseKey: string | null) => {
    const before = reader.viewing
    reader.viewing = caseKey
    tellViewers(before)
    tellViewers(caseKey)
  }

  return {
    add: (reader) => {
      readers.add(reader)
      return () => {
        readers.delete(reader)
        tellViewers(reader.viewing)
      }
    },
    changed: (...topics) => {
      for (const topic of topics) waiting.add(topic)
      timer ??= setTimeout(tell, TOGETHER_MS).unref()
    },
    view,
    forget: (tokenHash) => {
      for (const reader of readers) if (reader.tokenHash === tokenHash) reader.close()
    },
  }
}
