import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { listOf, nothing } from './field.ts'
import { methodForm, methodId, methodQuery, receivingMethod } from './wire/receiving-method.ts'

export type ReceivingMethod = Inside<typeof receivingMethod>
export type ReceivingMethodForm = Inside<typeof methodForm>
export type ReceivingMethodQuery = Inside<typeof methodQuery>

export const listReceivingMethods = defineEndpoint({
  name: 'listReceivingMethods',
  method: 'GET',
  path: '/api/wallet/get_draw_method',
  access: ACCESS.wallet,
  request: methodQuery,
  response: listOf(receivingMethod),
  summary: 'The coin addresses or bank accounts that the user has bound',
})

export const bindReceivingMethod = defineEndpoint({
  name: 'bindReceivingMethod',
  method: 'POST',
  path: '/api/wallet/bind_draw_method',
  isForm: true,
  changes: true,
  access: ACCESS.wallet,
  request: methodForm,
  response: receivingMethod,
  summary: 'Binds a coin address or bank account, after the password or a code of the second factor',
})

export const removeReceivingMethod = defineEndpoint({
  name: 'removeReceivingMethod',
  method: 'POST',
  path: '/api/wallet/del_draw_method',
  isForm: true,
  changes: true,
  access: ACCESS.wallet,
  request: methodId,
  response: nothing,
  summary: 'Takes a bound method away; withdrawals on their way keep it',
})
