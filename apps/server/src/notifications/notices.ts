import type { Queries } from '../database/open.ts'
import type { Committed, Engine } from '../engine/engine.ts'
import { noticeFacts } from '../engine/projection/notice-facts.ts'
import type { NoticeFact } from './notice-fact.ts'
import { startNoticeMails, type NoticeMailOptions, type NoticeMails } from './notice-mails.ts'
import { writeNotice } from './notice-row.ts'

/** How users are told of what the journal does not hold. */
export type Notices = {
  /** Writes it down, inside the transaction that is its reason. */
  write(within: Queries, userId: number, fact: NoticeFact): Promise<void>
  /** After the commit: tells their screens, and has the mail written. */
  tell(userId: number, fact: NoticeFact): void
}

type Options = NoticeMailOptions & {
  readonly engine: Pick<Engine, 'onCommitted' | 'caughtUp'>
  /** Epoch ms on the market clock, as the journal has it. */
  readonly marketNow: () => number
  /** Tells a user's screens. */
  readonly tellScreens: (userId: number, fact: NoticeFact, at: number) => void
}

/** Notices of a running server: those of the journal are written by the projection, their mails as soon as they stand in the table. */
export function startNotices(options: Options): Notices & { stop(): Promise<void> } {
  const { engine, marketNow, tellScreens } = options
  const mails = startNoticeMails(options)
  const stopListening = engine.onCommitted(({ entry }: Committed) => {
    if (noticeFacts(entry).size > 0) void wakeOnceWritten(engine, mails)
  })
  return {
    write: (within, userId, fact) => writeNotice(within, { userId, at: marketNow(), fact }),
    tell: (userId, fact) => {
      tellScreens(userId, fact, marketNow())
      mails.wake()
    },
    stop: () => {
      stopListening()
      return mails.stop()
    },
  }
}

/** After a failure, and after the stop, the next look finds them. */
const wakeOnceWritten = (engine: Pick<Engine, 'caughtUp'>, mails: NoticeMails): Promise<void> =>
  engine.caughtUp().then(mails.wake, () => undefined)
