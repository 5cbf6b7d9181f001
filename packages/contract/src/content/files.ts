import { ACCESS } from '../protocol/access.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { pictureKey, uploadedPicture } from './content.wire.ts'

/** Limits of an upload. */
export const UPLOAD = {
  /** The name of the multipart field with the picture. */
  field: 'file',
  bytesMax: 10 * 1024 * 1024,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  /** Width times height: clients shrink larger pictures before sending them. The server accepts larger photographs too. */
  pixelsMax: 40_000_000,
} as const

/** The path of a picture, before its key. */
export const PICTURE_PATH = '/api/common/image/'

/** The path of a public picture, such as a logo or one in a text, before its name. */
export const PUBLIC_PICTURE_PATH = '/files/'

const PUBLIC_PICTURE = /^\/files\/[\w-]{8,64}\.(?:png|jpe?g|webp)$/

/**
 * Whether an address is that of a public picture of this server. Other addresses are not allowed: they would reveal
 * readers to a third party.
 */
export const isPublicPicture = (address: string): boolean => PUBLIC_PICTURE.test(address)

export const uploadPicture = defineEndpoint({
  name: 'uploadPicture',
  method: 'POST',
  path: '/api/common/image_upload',
  access: ACCESS.upload,
  request: nothing,
  response: uploadedPicture,
  summary: `Keeps a picture (multipart/form-data, field "${UPLOAD.field}": JPEG, PNG or WebP of at most 10 MB); the url is for its owner`,
})

export const getPicture = defineEndpoint({
  name: 'getPicture',
  method: 'GET',
  path: `${PICTURE_PATH}:key`,
  access: ACCESS.chat,
  request: pictureKey,
  response: nothing,
  summary: "One's own picture, or one that support staff sent: its bytes, without an envelope",
})
