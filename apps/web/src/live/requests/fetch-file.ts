import { successEnvelope, type Endpoint } from '@fairlot/contract'
import { request, type RequestOptions, type Send } from './request.ts'

/**
 * A file that a call answers in place of the envelope. Rejects with a CallError when it is refused, which has been shown but for a
 * silent call.
 */
export async function fetchFile<Input>(
  endpoint: Endpoint<Input, null>,
  input: Input,
  options: Pick<RequestOptions, 'isSilent'> = {},
): Promise<Blob> {
  const taken: Blob[] = []
  const sendBy: Send = async (url, options) => {
    const answer = await fetch(url, options)
    const { status } = answer
    // A refusal comes in the envelope, as always.
    if (!answer.ok || answer.headers.get('content-type')?.startsWith('application/json') === true)
      return { status, text: () => answer.text() }
    taken.push(await answer.blob())
    return {
      status,
      text: () => Promise.resolve(JSON.stringify(successEnvelope(endpoint.response, null, ''))),
    }
  }
  await request(endpoint, input, { ...options, sendBy })
  const [file] = taken
  if (!file) throw new Error(`${endpoint.name} has answered no file`)
  return file
}

/** Saves a file on the reader's device. */
export function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(link.href)
}
