import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { basicInfo, settingQuery, settings } from './settings.wire.ts'

export type BasicInfo = Infer<typeof basicInfo>
export type PublicSettings = Infer<typeof settings>
export type SettingKey = Infer<typeof settingQuery>['key']

/**
 * The version of the traders' API. Raise it when an app that was loaded before can no longer be trusted to send changes: such an
 * app then sends nothing, and asks its user to reload.
 */
export const API_VERSION = 1

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
