import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { pageQuery } from '../funds/funds.wire.ts'
import { activityPage, languageChoice, user } from './user.wire.ts'

export type User = Infer<typeof user>

export type ActivityPage = Infer<typeof activityPage>
export type Activity = ActivityPage['activities'][number]

export const getUser = defineEndpoint({
  name: 'getUser',
  method: 'GET',
  path: '/api/user/info',
  access: ACCESS.session,
  request: nothing,
  response: user,
  summary: 'The user who is logged in',
})

export const chooseLanguage = defineEndpoint({
  name: 'chooseLanguage',
  method: 'POST',
  path: '/api/user/language',
  access: ACCESS.session,
  request: languageChoice,
  response: nothing,
  summary: 'Remembers the language that the user has chosen: mails and text messages come in it',
})

export const listActivity = defineEndpoint({
  name: 'listActivity',
  method: 'GET',
  path: '/api/user/activity',
  access: ACCESS.session,
  request: pageQuery,
  response: activityPage,
  summary:
    "The user's own log-ins and changes, and every operator action on the account: role, time and reason. Newest first, ten a page",
})
