import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBucketStore, createFolderStore, type FileStore } from './file-store.ts'
import { startBucket, type Bucket } from './testing/bucket.ts'

const key = () => randomBytes(24).toString('base64url')
const JPEG = 'image/jpeg'

describe('file stores', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-store-'))
  let bucket: Bucket
  beforeAll(async () => {
    bucket = await startBucket('proofs')
  })
  afterAll(async () => {
    await bucket.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each<[string, () => FileStore]>([
    ['a folder', () => createFolderStore(join(folder, 'files'))],
    ['a bucket', () => createBucketStore(bucket.url)],
  ])('%s', (_kind, open) => {
    test('returns a file unchanged until it is removed', async () => {
      const [store, name, bytes] = [open(), key(), randomBytes(300_000)]
      expect(await store.get(name)).toBeNull()
      await store.put(name, bytes, JPEG)
      expect((await open().get(name))?.equals(bytes)).toBe(true)
      await store.remove(name)
      expect(await store.get(name)).toBeNull()
      await store.remove(name)
    })

    test('overwrites a file that is put again', async () => {
      const [store, name] = [open(), key()]
      await store.put(name, Buffer.from('first'), JPEG)
      await store.put(name, Buffer.from('second'), JPEG)
      expect(String(await store.get(name))).toBe('second')
    })
  })

  test.each([
    ['an unknown account', (url: string) => url.replace(/\/\/[^:@/]+:/, '//stranger:')],
    ['a missing bucket', (url: string) => url.replace('/proofs', '/nowhere')],
    ['an unreachable server', (url: string) => url.replace(/@[^/]+/, '@127.0.0.1:9')],
  ])('a bucket store reports %s', async (_what, change) => {
    const store = createBucketStore(change(bucket.url))
    const putting = store.put(key(), Buffer.from('x'), JPEG)
    await expect(putting).rejects.toMatchObject({ statusCode: 503 })
  })
})
