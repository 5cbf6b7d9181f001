import { ACCESS } from './access.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { pictureKey, uploadedPicture } from './wire/picture.ts'

/** What an upload may be. */
export const UPLOAD = {
  /** The part of the multipart body that is the picture. */
  field: 'file',
  bytesMax: 10 * 1024 * 1024,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  /** Width times height. */
  pixelsMax: 40_000_000,
} as const

/** The path of a picture, before its key. */
export const PICTURE_PATH = '/api/common/image/'

/** The path of a picture that everybody may see, such as one of a text for readers or a logo, before its name. */
export const PUBLIC_PICTURE_PATH = '/files/'

const PUBLIC_PICTURE = /^\/files\/[\w-]{8,64}\.(?:png|jpe?g|webp)$/

/** Whether an address is that of a public picture of this server: any other would tell somebody else who looks. */
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
  summary: "One's own picture, or one that the support has sent: its bytes, without an envelope",
})
