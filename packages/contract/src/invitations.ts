import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { pageQuery } from './wire/account.ts'
import { invitedPage } from './wire/invitation.ts'

export type InvitedPage = Inside<typeof invitedPage>
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
