import type { Operation } from '../endpoint.ts'
import type { DeskAct } from './permissions.ts'

/** A call of the desk's API. `act` names the line of the table of permissions that guards it; null for anyone, before a log-in. */
export type DeskEndpoint<Input = unknown, Output = unknown> = Operation<Input, Output> & {
  readonly act: DeskAct | null
  /** May be called by an operator whose second factor is not set up yet: all others may not. */
  readonly isForEnrolment: boolean
}

type Optional = 'changes' | 'isForm' | 'isForEnrolment'
type Declared<Input, Output> = Omit<DeskEndpoint<Input, Output>, Optional> &
  Partial<Pick<DeskEndpoint, Optional>>

export const defineDeskEndpoint = <Input, Output>(
  endpoint: Declared<Input, Output>,
): DeskEndpoint<Input, Output> => ({
  changes: false,
  isForm: false,
  isForEnrolment: false,
  ...endpoint,
})

/** Where pages of the desk are told what changed. */
export const DESK_SOCKET_PATH = '/desk/ws'
