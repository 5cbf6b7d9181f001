import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { user } from './wire/user.ts'

export type User = Inside<typeof user>

export const getUser = defineEndpoint({
  name: 'getUser',
  method: 'GET',
  path: '/api/user/info',
  access: ACCESS.session,
  request: nothing,
  response: user,
  summary: 'The user who is logged in',
})
