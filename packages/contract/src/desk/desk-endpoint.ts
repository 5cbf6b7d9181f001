import type { Operation } from '../protocol/endpoint.ts'
import type { DeskPermission } from './permissions.ts'

/** A call of the desk's API. `permission` is the one required; null for anyone, before a log-in. */
export type DeskEndpoint<Input = unknown, Output = unknown> = Operation<Input, Output> & {
  readonly permission: DeskPermission | null
  /** Allowed before an operator's second factor is set up; other calls are not. */
  readonly isForEnrolment: boolean
  /** Moves money or rights: requires a code of the second factor that is not older than `FRESH_FACTOR_MS`. */
  readonly needsFreshFactor: boolean
  /** Sent while a form is filled in, and changes nothing: a refusal of it is not recorded in the audit log. */
  readonly isPreview: boolean
}

/**
 * How long a code of the second factor, given at log-in or a confirmation, is enough for actions that move money or
 * rights.
 */
export const FRESH_FACTOR_MS = 5 * 60_000

type Optional = 'changes' | 'isForm' | 'isForEnrolment' | 'needsFreshFactor' | 'isPreview'
type Declared<Input, Output> = Omit<DeskEndpoint<Input, Output>, Optional> &
  Partial<Pick<DeskEndpoint, Optional>>

export const defineDeskEndpoint = <Input, Output>(
  endpoint: Declared<Input, Output>,
): DeskEndpoint<Input, Output> => ({
  changes: false,
  isForm: false,
  isForEnrolment: false,
  needsFreshFactor: false,
  isPreview: false,
  ...endpoint,
})

/** The socket that notifies pages of the desk of changes. */
export const DESK_SOCKET_PATH = '/desk/ws'
