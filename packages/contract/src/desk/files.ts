import { nothing, text } from '../protocol/field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { UPLOAD } from '../content/files.ts'
import { record } from './record.ts'

/** The path of a file at the desk, before its key. */
export const DESK_FILE_PATH = '/desk/api/files/'

export const viewProof = defineDeskEndpoint({
  name: 'viewProof',
  method: 'GET',
  path: `${DESK_FILE_PATH}:key`,
  permission: 'viewProof',
  request: record({ key: text }),
  response: nothing,
  summary:
    "A picture that a user has sent: its bytes, without an envelope. Every view is written down, and the user's account with it",
})

export const uploadPublicPicture = defineDeskEndpoint({
  name: 'uploadPublicPicture',
  method: 'POST',
  path: '/desk/api/files/picture',
  permission: 'uploadPicture',
  request: nothing,
  response: record({ url: text }),
  summary: `Keeps a picture for everybody to see, for news and logos (multipart/form-data, field "${UPLOAD.field}": JPEG, PNG or WebP of at most 10 MB)`,
})
