import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import {
  demoKey,
  freshToken,
  loggedIn,
  loginRequest,
  passwordChange,
  sessionId,
  sessions,
} from './login.wire.ts'

export type LoggedIn = Infer<typeof loggedIn>
export type LoginRequest = Infer<typeof loginRequest>
export type PasswordChange = Infer<typeof passwordChange>
/** One of the user's own sessions. */
export type SessionView = Infer<typeof sessions>[number]

export const createDemoAccount = defineEndpoint({
  name: 'createDemoAccount',
  method: 'POST',
  path: '/api/user/createAccountDemoForU',
  alsoGet: true,
  access: ACCESS.signUp,
  request: nothing,
  response: demoKey,
  summary: 'Opens a demo account and answers the secret that logs in to it',
})

export const logIn = defineEndpoint({
  name: 'logIn',
  method: 'POST',
  path: '/api/user/loginForU',
  isForm: true,
  access: ACCESS.signUp,
  request: loginRequest,
  response: loggedIn,
  summary: 'Logs in with an account and its password, or to a demo account by its secret',
})

export const logOut = defineEndpoint({
  name: 'logOut',
  method: 'POST',
  path: '/api/user/logout',
  access: ACCESS.session,
  request: nothing,
  response: nothing,
  summary: 'Forgets the token of this session',
})

export const logOutEverywhere = defineEndpoint({
  name: 'logOutEverywhere',
  method: 'POST',
  path: '/api/user/logout_all',
  access: ACCESS.session,
  request: nothing,
  response: nothing,
  summary: 'Ends every session of the user, this one too',
})

export const listSessions = defineEndpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/api/user/sessions',
  access: ACCESS.session,
  request: nothing,
  response: sessions,
  summary: "The user's own sessions, the latest used first",
})

export const endSession = defineEndpoint({
  name: 'endSession',
  method: 'POST',
  path: '/api/user/session_end',
  access: ACCESS.session,
  request: sessionId,
  response: nothing,
  summary: "Ends one of the user's own sessions",
})

export const changePassword = defineEndpoint({
  name: 'changePassword',
  method: 'POST',
  path: '/api/user/amend_password',
  access: ACCESS.password,
  request: passwordChange,
  response: freshToken,
  summary: 'Changes the password with the old one; answers a fresh token and ends every other session',
})
