import type { Locator } from '@playwright/test'
import readQrCode from 'jsqr'

/** The text of a QR code on the screen; undefined when it cannot be read. */
export async function readByCamera(picture: Locator): Promise<string | undefined> {
  const png = `data:image/png;base64,${(await picture.screenshot()).toString('base64')}`
  const { pixels, width, height } = await picture.page().evaluate(pixelsOf, png)
  return readQrCode.default(Uint8ClampedArray.from(pixels), width, height)?.data
}

/** Runs in the page. */
async function pixelsOf(source: string): Promise<{ pixels: number[]; width: number; height: number }> {
  const image = new Image()
  image.src = source
  await image.decode()
  const { width, height } = image
  const context = new OffscreenCanvas(width, height).getContext('2d')
  context?.drawImage(image, 0, 0)
  return { pixels: Array.from(context?.getImageData(0, 0, width, height).data ?? []), width, height }
}
