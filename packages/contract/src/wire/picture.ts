import { noun } from '../codec.ts'
import { text } from '../field.ts'

export const uploadedPicture = noun({ url: ['url', text] })

/** The key stands in the path. */
export const pictureKey = noun({ key: ['key', text] })
