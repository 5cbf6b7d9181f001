import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { basicInfo, settingQuery, settings } from './wire/setting.ts'

export type BasicInfo = Inside<typeof basicInfo>
export type PublicSettings = Inside<typeof settings>
export type SettingKey = Inside<typeof settingQuery>['key']

export const getSetting = defineEndpoint({
  name: 'getSetting',
  method: 'GET',
  path: '/api/default/setting',
  access: ACCESS.information,
  request: settingQuery,
  response: settings,
  summary: 'One public setting by its key; the others are null in the answer',
})

export const getBasicInfo = defineEndpoint({
  name: 'getBasicInfo',
  method: 'GET',
  path: '/api/basicSet/getBasicInfo',
  access: ACCESS.information,
  request: nothing,
  response: basicInfo,
  summary: 'How this deployment is set up: fees, limits, currency, support link, risk warning',
})
