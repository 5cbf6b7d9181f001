import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { pageQuery } from '../funds/funds.wire.ts'
import { invitedPage } from './user.wire.ts'

export type InvitedPage = Infer<typeof invitedPage>
export type Invited = InvitedPage['invited'][number]

export const listInvited = defineEndpoint({
  name: 'listInvited',
  method: 'GET',
  path: '/api/user/invited',
  access: ACCESS.invite,
  request: pageQuery,
  response: invitedPage,
  summary: 'Who has registered by the invitation code of the user, masked, the latest first, ten a page',
})
