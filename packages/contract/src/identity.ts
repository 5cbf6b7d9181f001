import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { identityCheck, identityForm } from './wire/identity.ts'

/** What a person sends to show who they are. */
export type IdentityForm = Inside<typeof identityForm>
/** How far the check of their identity is. */
export type IdentityCheck = Inside<typeof identityCheck>
export type IdentityField = keyof IdentityForm

/** The parts of the form, in the order in which they are asked for. */
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
