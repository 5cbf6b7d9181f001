import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { closing, ownProof } from './user.wire.ts'

export type OwnProof = Infer<typeof ownProof>
export type Closing = Infer<typeof closing>
export type ClosingObstacle = Closing['obstacles'][number]

export const downloadOwnData = defineEndpoint({
  name: 'takeData',
  method: 'POST',
  path: '/api/user/data',
  access: ACCESS.session,
  request: ownProof,
  response: nothing,
  summary:
    'Everything about oneself as a ZIP archive of JSON, CSV and pictures: its bytes, without an envelope. A real account gives its password or second factor again; a demo account has neither, so it sends neither and nothing is checked',
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
    'Closes the account for good: nothing may be open. A real account gives its password or second factor again; a demo account has neither, so it sends neither and nothing is checked',
})
