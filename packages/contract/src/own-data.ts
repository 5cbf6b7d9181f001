import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { closing, ownProof } from './wire/own-data.ts'

export type OwnProof = Inside<typeof ownProof>
export type Closing = Inside<typeof closing>
export type ClosingObstacle = Closing['obstacles'][number]

export const takeData = defineEndpoint({
  name: 'takeData',
  method: 'POST',
  path: '/api/user/data',
  access: ACCESS.session,
  request: ownProof,
  response: nothing,
  summary:
    'Everything about oneself as a ZIP archive of JSON, CSV and pictures: its bytes, without an envelope. Asks for the password or the second factor again',
})

export const getClosing = defineEndpoint({
  name: 'getClosing',
  method: 'GET',
  path: '/api/user/closing',
  access: ACCESS.session,
  request: nothing,
  response: closing,
  summary: 'What has to be done before the account can be closed',
})

export const closeAccount = defineEndpoint({
  name: 'closeAccount',
  method: 'POST',
  path: '/api/user/close',
  changes: true,
  access: ACCESS.session,
  request: ownProof,
  response: nothing,
  summary:
    'Closes the account for good: nothing may be open. Asks for the password or the second factor again',
})
