import '../theme/theme.css'
import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { ImageField } from './image-field.tsx'
import type { SendImage } from './use-image-upload.ts'

const texts = {
  choose: 'Choose a picture',
  takePhoto: 'Take a photo',
  remove: 'Remove',
  sending: 'Sending',
  percent: (part: number) => `${Math.round(part * 100)}%`,
  sent: 'Sent',
  tooLarge: 'At most 1 MB.',
}

/** An image field whose uploads the test completes or fails. */
async function field() {
  const sent: {
    file: File
    progress: (part: number) => void
    done: (name: string) => void
    fail: (reason: string) => void
    signal: AbortSignal
  }[] = []
  const send: SendImage = (file, { onProgress, signal }) =>
    new Promise((resolve, reject) =>
      sent.push({
        file,
        progress: onProgress,
        done: resolve,
        fail: (reason) => reject(new Error(reason)),
        signal,
      }),
    )
  const onChange = vi.fn()
  const { container, unmount } = await render(
    <ImageField
      label="Proof"
      hint="A photo of the receipt."
      texts={texts}
      types={['image/png']}
      limits={{ bytesMax: 1_000_000, pixelsMax: 2_000_000 }}
      send={send}
      onChange={onChange}
      problemOf={(error) => (error instanceof Error ? error.message : null)}
    />,
  )
  const input = () => container.querySelector<HTMLInputElement>('input[type=file]:not([capture])')
  const upload = async (file: File) => {
    const picker = input()
    if (!picker) throw new Error('no file input is shown')
    const before = sent.length
    await userEvent.upload(picker, file)
    const isTaken = () => sent.length > before || page.getByRole('alert').query() !== null
    await expect.poll(isTaken).toBe(true)
  }
  const choose = (name = 'proof.png', bytes = 9) =>
    upload(new File(['x'.repeat(bytes)], name, { type: 'image/png' }))
  return { sent, onChange, choose, upload, unmount }
}

const last = <T,>(list: readonly T[]): T => {
  const item = list.at(-1)
  if (item === undefined) throw new Error('nothing was sent')
  return item
}

test('shows a picture while it is uploaded, and reports its key afterwards', async () => {
  const { sent, onChange, choose } = await field()
  await expect
    .element(page.getByRole('group', { name: 'Proof' }))
    .toHaveAccessibleDescription('A photo of the receipt.')
  await choose()
  await expect.element(page.getByRole('img', { name: 'proof.png' })).toBeVisible()
  const bar = page.getByRole('meter', { name: 'Sending' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '0%')
  last(sent).progress(0.4)
  await expect.element(bar).toHaveAttribute('aria-valuetext', '40%')
  last(sent).done('/picture/1')
  await expect.element(page.getByRole('status')).toHaveTextContent('Sent')
  expect(onChange).toHaveBeenLastCalledWith('/picture/1')
})

test('removes a picture that cannot be uploaded, and says why', async () => {
  const { sent, onChange, choose } = await field()
  await choose()
  last(sent).fail('This is not a picture.')
  await expect.element(page.getByRole('alert')).toHaveTextContent('This is not a picture.')
  expect(page.getByRole('img', { name: 'proof.png' }).query()).toBeNull()
  expect(onChange).toHaveBeenLastCalledWith(null)
  await choose('other.png')
  expect(page.getByRole('alert').query()).toBeNull()
})

test('aborts the upload of a removed picture, and never reports its key', async () => {
  const { sent, onChange, choose } = await field()
  await choose()
  await page.getByRole('button', { name: 'Remove' }).click()
  expect(last(sent).signal.aborted).toBe(true)
  last(sent).done('/picture/1')
  await expect.element(page.getByRole('button', { name: 'Choose a picture' })).toBeVisible()
  expect(onChange).not.toHaveBeenCalledWith('/picture/1')
})

test('does not upload a picture that is too large', async () => {
  const { sent, choose } = await field()
  await choose('large.png', 1_000_001)
  await expect.element(page.getByRole('alert')).toHaveTextContent('At most 1 MB.')
  expect(sent).toEqual([])
})

/** A picture of one colour. */
async function picture(width: number, height: number, type: string): Promise<File> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.fillRect(0, 0, width, height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type))
  return new File([blob ?? ''], 'photo', { type })
}

test.each([
  ['image/jpeg', 'image/jpeg'],
  ['image/png', 'image/webp'],
])('shrinks a picture with too many pixels before it is uploaded: %s', async (type, sentType) => {
  const { sent, upload } = await field()
  await upload(await picture(3_000, 1_500, type))
  const { file } = last(sent)
  expect(file.type).toBe(sentType)
  const { width, height } = await createImageBitmap(file)
  expect([width, height]).toEqual([2_000, 1_000])
})

test('uploads a picture within the limits as it is', async () => {
  const { sent, upload } = await field()
  const file = await picture(1_000, 2_000, 'image/png')
  await upload(file)
  expect(await last(sent).file.bytes()).toEqual(await file.bytes())
})

test('aborts the upload when the form is closed', async () => {
  const { sent, choose, unmount } = await field()
  await choose()
  await unmount()
  expect(last(sent).signal.aborted).toBe(true)
})
