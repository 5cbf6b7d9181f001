import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { pageQuery } from './wire/account.ts'
import { activityPage } from './wire/activity.ts'
import { languageChoice, user } from './wire/user.ts'

export type User = Inside<typeof user>

export type ActivityPage = Inside<typeof activityPage>
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
    "The user's own log-ins and changes, and every act of an operator that touched the account: role, time and reason. Newest first, ten a page",
})
