import type { Hasher } from '../auth/password-hash.ts'
import type { Deployment } from '../deployment.ts'
import type { Queries } from '../database/open.ts'
import type { Intake } from '../files/intake.ts'
import type { Pictures } from '../files/pictures.ts'
import type { Statements } from '../funds/statement/statements.ts'
import type { ActLog } from './acts/act-log.ts'
import type { EngineActs } from './acts/engine-acts.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { DeskApi } from './desk-api.ts'
import type { TotalsBook } from '../engine/projection/account-totals.ts'
import type { Chat } from '../support/chat.ts'
import type { Sessions } from '../http/login-sessions.ts'
import type { Notifier } from '../notifications/notifier.ts'
import type { OrderQueries } from '../trading/order-queries.ts'
import type { DeskHub } from './desk-hub.ts'
import type { Notices } from '../notifications/notices.ts'
import type { Outbox } from '../notifications/outbox.ts'
import type { DeskSessions } from './operators/desk-sessions.ts'
import type { OperatorFactor } from './operators/operator-factor.ts'
import type { CaseHolders } from './waiting/case-holders.ts'
import type { WaitingList } from './waiting/waiting-list.ts'
import type { DayBook } from './reports/day-book.ts'

/** What the areas of the traders work with, and the desk too. */
export type TraderParts = {
  readonly sessions: Sessions
  readonly notifier: Notifier
  readonly outbox: Outbox
  readonly orderQueries: OrderQueries
  readonly totals: TotalsBook
  readonly pictures: Pictures
  readonly takeIn: Intake
  readonly statements: Statements
  readonly chat: Chat
}

/** What the desk's topics work with. */
export type DeskServices = {
  readonly deployment: Deployment
  /** The traders' log-ins, mails, orders and totals. */
  readonly traders: TraderParts
  readonly queries: Queries
  readonly api: DeskApi
  readonly acts: ActLog
  readonly engineActs: EngineActs
  readonly approvals: Approvals
  readonly holders: CaseHolders
  readonly waiting: WaitingList
  readonly notifier: Notifier
  /** Tells users of what the journal does not hold. */
  readonly notices: Notices
  readonly hub: DeskHub
  readonly dayBook: DayBook
  readonly sessions: DeskSessions
  readonly factor: OperatorFactor
  readonly hasher: Hasher
  readonly outbox: Outbox
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly limits: { readonly failedLoginsPerAddress: number; readonly failedLoginsPerAccount: number }
}
