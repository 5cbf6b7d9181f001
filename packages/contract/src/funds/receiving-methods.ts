import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { listOf, nothing } from '../protocol/field.ts'
import { methodForm, methodId, methodQuery, receivingMethod } from './withdrawals.wire.ts'

export { METHOD_WIRE_NAMES } from './withdrawals.wire.ts'

export type ReceivingMethod = Infer<typeof receivingMethod>
export { METHOD_LENGTHS } from './withdrawals.wire.ts'

export type ReceivingMethodForm = Infer<typeof methodForm>
export type ReceivingMethodQuery = Infer<typeof methodQuery>

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
  summary: 'Binds a coin address or bank account, after the second factor or, where it is off, the password',
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
