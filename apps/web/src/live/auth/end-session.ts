import { createClient, logOut } from '@fairlot/contract'
import { setup } from '../requests/request.ts'

/** Ends a session that is no longer the one of this page. Nobody waits for it: unanswered, it ends by its age. */
export const endSessionOf = (token: string): void =>
  void createClient<AbortSignal>({ ...setup, token: () => token }).call(logOut, null, { silent: true })
