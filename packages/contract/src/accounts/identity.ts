import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { identityCheck, identityForm } from './user.wire.ts'

/** The identity form of a user. */
export type IdentityForm = Infer<typeof identityForm>
/** The state of a user's identity check. */
export type IdentityCheck = Infer<typeof identityCheck>
export type IdentityField = keyof IdentityForm

/** The parts of the form, in the order in which they are requested. */
export const IDENTITY_FIELDS = [
  'name',
  'number',
  'front',
  'reverse',
] as const satisfies readonly IdentityField[]

const IDENTITY_PATH = '/api/user_real'

export const sendIdentity = defineEndpoint({
  name: 'sendIdentity',
  method: 'POST',
  path: `${IDENTITY_PATH}/real_name`,
  changes: true,
  access: ACCESS.identity,
  request: identityForm,
  response: nothing,
  summary:
    'Sends name, document number and both sides of the document; after a rejection the rejected fields are enough',
})

export const getIdentityCheck = defineEndpoint({
  name: 'getIdentityCheck',
  method: 'GET',
  path: `${IDENTITY_PATH}/center`,
  access: ACCESS.identity,
  request: nothing,
  response: identityCheck,
  summary: 'How far the check of the own identity is, and what was wrong with which field',
})
