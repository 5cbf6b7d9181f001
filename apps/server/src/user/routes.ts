import { getUser } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { Api } from '../plugins/api.ts'
import { refuse } from '../plugins/refusal.ts'
import { findUser } from './users.ts'

export function registerUser(api: Api, queries: Queries): void {
  api.user(getUser, async ({ user }) => (await findUser(queries, user.id)) ?? refuse('sessionGone'))
}
