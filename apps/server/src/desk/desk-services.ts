import type { Hasher } from '../platform/security/password-hash.ts'
import type { Passkeys } from '../platform/security/passkeys.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Queries } from '../platform/database/open.ts'
import type { FollowUps } from '../engine/follow-ups.ts'
import type { Intake } from '../platform/files/intake.ts'
import type { Pictures } from '../platform/files/pictures.ts'
import type { AuditLog } from './audit-log/audit-log.ts'
import type { EngineCommands } from './audit-log/engine-commands.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { DeskApi } from './desk-api.ts'
import type { TotalsBook } from '../engine/projection/account-totals.ts'
import type { ProxyWatch } from '../platform/http/client-network.ts'
import type { Sessions } from '../platform/http/login-sessions.ts'
import type { MessageWriter } from '../notices/message-writer.ts'
import type { DeskHub } from './desk-socket.ts'
import type { Notices } from '../notices/notices.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import type { DeskSessions } from './operators/desk-sessions.ts'
import type { OperatorFactor } from './operators/operator-factor.ts'
import type { Confirmations } from './operators/operators.ts'
import type { CaseAssignments } from './waiting/case-assignments.ts'
import type { WaitingList } from './waiting/waiting-list.ts'

/** Services used both by users' calls and by the desk. */
export type SharedServices = {
  readonly sessions: Sessions
  readonly messageWriter: MessageWriter
  readonly outbox: Outbox
  readonly totals: TotalsBook
  readonly pictures: Pictures
  readonly takeIn: Intake
  readonly proxies: ProxyWatch
}

/** Services of the operators' desk. */
export type DeskServices = {
  readonly deployment: Deployment
  /** Users' sessions, messages, pictures and totals. */
  readonly shared: SharedServices
  readonly queries: Queries
  readonly api: DeskApi
  readonly auditLog: AuditLog
  readonly engineCommands: EngineCommands
  readonly followUps: FollowUps
  readonly approvals: Approvals
  readonly assignments: CaseAssignments
  readonly waiting: WaitingList
  readonly messageWriter: MessageWriter
  /** Notifies users of changes that are not in the journal. */
  readonly notices: Notices
  readonly hub: DeskHub
  readonly sessions: DeskSessions
  readonly factor: OperatorFactor
  readonly passkeys: Passkeys
  /** Confirmation keys, for the operators who approved them. */
  readonly confirmations: Confirmations
  readonly hasher: Hasher
  readonly outbox: Outbox
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly limits: { readonly failedLoginsPerAddress: number; readonly failedLoginsPerAccount: number }
}
