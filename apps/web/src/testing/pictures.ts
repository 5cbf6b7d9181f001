import { uploadPicture } from '@fairlot/contract'
import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer } from './fake-server.ts'

/** The URL of every picture uploaded after `answerPictures`. */
export const PICTURE_URL = `/api/common/image/${'p'.repeat(32)}`

/** Accepts every upload. */
export const answerPictures = (): void => answer(uploadPicture, { url: PICTURE_URL })

/** The field of a picture. */
export const pictureField = (label: string) => page.getByRole('group', { name: label })

/** Chooses a picture from the device for a field. */
export async function choosePicture(label: string, name = 'transfer.png'): Promise<void> {
  await expect.element(pictureField(label)).toBeVisible()
  const input = pictureField(label).element().querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error(`${label} takes no picture now`)
  await userEvent.upload(input, new File(['x'], name, { type: 'image/png' }))
}
