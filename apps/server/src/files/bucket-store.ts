import { AwsClient } from 'aws4fetch'
import type { FileStore } from './file-store.ts'

const ANSWER_WITHIN_MS = 10_000
const DEFAULT_REGION = 'us-east-1'

/** Keeps files in a bucket of an S3 server: `s3://key:secret@host:port/bucket?region=...&tls=0`. The bucket is there already. */
export function createBucketStore(address: string): FileStore {
  const { username, password, host, pathname, searchParams } = new URL(address)
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    region: searchParams.get('region') ?? DEFAULT_REGION,
    ...{ service: 's3', retries: 2 },
  })
  const bucket = `${searchParams.get('tls') === '0' ? 'http' : 'https'}://${host}${pathname.replace(/\/$/, '')}`
  const ask = async (method: string, key: string, options: RequestInit = {}) => {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    try {
      const answer = await client.fetch(`${bucket}/${key}`, { method, signal, ...options })
      if (answer.ok || answer.status === 404) return answer
      throw new BucketAway(`it answered ${answer.status}`)
    } catch (error) {
      throw error instanceof BucketAway ? error : new BucketAway(String(error))
    }
  }
  return {
    put: async (key, bytes, type) => {
      const { ok } = await ask('PUT', key, { body: new Uint8Array(bytes), headers: { 'content-type': type } })
      if (!ok) throw new BucketAway('there is no such bucket')
    },
    get: async (key) => {
      const answer = await ask('GET', key)
      const bytes = Buffer.from(await answer.arrayBuffer())
      return answer.ok ? bytes : null
    },
    remove: async (key) => void (await ask('DELETE', key)),
  }
}

/** The bucket gave no answer, or refused ours. */
class BucketAway extends Error {
  readonly statusCode = 503
  constructor(why: string) {
    super(`the bucket of files cannot be used: ${why}`)
  }
}
