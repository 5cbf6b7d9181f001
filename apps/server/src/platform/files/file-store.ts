import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'

/** Stores the bytes of files by key. All calls are idempotent. */
export type FileStore = {
  put(key: string, bytes: Buffer, type: string): Promise<void>
  /** Null when there is none. */
  get(key: string): Promise<Buffer | null>
  /** Succeeds when there is none, too. */
  remove(key: string): Promise<void>
}

/** Stores files in a folder, which is created with the first of them. Only this user of the machine can read them. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, key)
  return {
    put: async (key, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = `${pathOf(key)}.part`
      await writeFile(unfinished, bytes, { mode: 0o600, flush: true })
      await rename(unfinished, pathOf(key))
    },
    get: async (key) => {
      try {
        return await readFile(pathOf(key))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  }
}

const TIMEOUT_MS = 10_000
const DEFAULT_REGION = 'us-east-1'

/** Stores files in an existing bucket of an S3 server: `s3://key:secret@host:port/bucket?region=...&tls=0`. */
export function createBucketStore(address: string): FileStore {
  const { username, password, host, pathname, searchParams } = new URL(address)
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    region: searchParams.get('region') ?? DEFAULT_REGION,
    service: 's3',
    retries: 2,
  })
  const bucket = `${searchParams.get('tls') === '0' ? 'http' : 'https'}://${host}${pathname.replace(/\/$/, '')}`
  const request = async (method: string, key: string, options: RequestInit = {}) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const answer = await client.fetch(`${bucket}/${key}`, { method, signal, ...options })
      if (answer.ok || answer.status === 404) return answer
      throw new BucketUnavailable(`it answered ${answer.status}`)
    } catch (error) {
      throw error instanceof BucketUnavailable ? error : new BucketUnavailable(String(error))
    }
  }
  return {
    put: async (key, bytes, type) => {
      const { ok } = await request('PUT', key, {
        body: new Uint8Array(bytes),
        headers: { 'content-type': type },
      })
      if (!ok) throw new BucketUnavailable('there is no such bucket')
    },
    get: async (key) => {
      const answer = await request('GET', key)
      const bytes = Buffer.from(await answer.arrayBuffer())
      return answer.ok ? bytes : null
    },
    remove: async (key) => void (await request('DELETE', key)),
  }
}

/** The bucket did not answer, or rejected the request. */
class BucketUnavailable extends Error {
  readonly statusCode = 503
  constructor(why: string) {
    super(`the bucket of files cannot be used: ${why}`)
  }
}
