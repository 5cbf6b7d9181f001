import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newUser } from '../../testing/accounts.ts'
import { makePlace, startServer } from '../../testing/running-server.ts'
import { openPriceSource } from '../../../../../testing/price-source.ts'
import { startBucket } from './testing/bucket.ts'
import { rendered } from './testing/pictures.ts'
import { fetchAs, upload } from './testing/sending.ts'

test('a server with a bucket stores pictures there, not in its data folder', async () => {
  const [bucket, source, place] = [
    await startBucket('proofs'),
    await openPriceSource(),
    await makePlace('sqlite'),
  ]
  const server = await startServer(place, { env: { FEED: source.url, S3_URL: bucket.url } })
  const { token } = await newUser(server)
  const url = await upload(server, token, await rendered(60, 30).png().toBuffer())
  const { status, bytes } = await fetchAs(server, token, url)
  expect([status, bytes.subarray(0, 3).toString('hex')]).toEqual([200, 'ffd8ff'])
  expect(existsSync(join(place.dataDir, 'files'))).toBe(false)
  await bucket.stop()
  expect((await fetchAs(server, token, url)).status).toBe(503)
  await server.stop()
  source.close()
  await place.remove()
  expect(server.failures).toEqual([])
})
