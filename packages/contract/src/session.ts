import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { demoKey, loggedIn } from './wire/user.ts'

export type LoggedIn = Inside<typeof loggedIn>

export const createDemoAccount = defineEndpoint({
  name: 'createDemoAccount',
  method: 'POST',
  path: '/api/user/createAccountDemoForU',
  alsoGet: true,
  access: 'visitor',
  request: nothing,
  response: demoKey,
  summary: 'Opens a demo account and answers the secret that logs in to it',
})

export const logIn = defineEndpoint({
  name: 'logIn',
  method: 'POST',
  path: '/api/user/loginForU',
  access: 'visitor',
  request: demoKey,
  response: loggedIn,
  summary: 'Logs in to a demo account by its secret',
})

export const logOut = defineEndpoint({
  name: 'logOut',
  method: 'POST',
  path: '/api/user/logout',
  access: 'user',
  request: nothing,
  response: nothing,
  summary: 'Forgets the token of this session',
})
