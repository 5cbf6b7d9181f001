/** What a picture may have before it is shrunk. */
export type ImageLimits = { readonly bytesMax: number; readonly pixelsMax: number }

/** The pixels of a shrunk picture: the server stores fewer, and canvases of some phones have at most 16 megapixels. */
const SHRUNK_PIXELS = 12_000_000
const QUALITY = 0.9

/**
 * A picture that the server accepts: one with too many bytes or pixels, such as a photograph of a new phone, is scaled
 * down. Any other picture, and one that the browser cannot decode, is returned as it is.
 */
export async function shrinkImage(file: File, { bytesMax, pixelsMax }: ImageLimits): Promise<File> {
  const image = await openImage(file)
  if (image === null) return file
  const { naturalWidth: width, naturalHeight: height } = image
  if (file.size <= bytesMax && width * height <= pixelsMax) return file
  const scale = Math.min(1, Math.sqrt(Math.min(SHRUNK_PIXELS, pixelsMax) / (width * height)))
  const blob = await drawn(image, {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    // Other formats may be transparent.
    type: file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp',
  })
  return blob ? new File([blob], file.name, { type: blob.type }) : file
}

/** The picture of a file, upright; null if it cannot be decoded. */
async function openImage(file: File): Promise<HTMLImageElement | null> {
  const url = URL.createObjectURL(file)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    return image
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}

type Drawing = { readonly width: number; readonly height: number; readonly type: string }

/** Null if the device has no memory for it. */
function drawn(image: HTMLImageElement, { width, height, type }: Drawing): Promise<Blob | null> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY))
}
