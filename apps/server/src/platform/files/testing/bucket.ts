import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** The account of the S3 server, which checks signatures against it. */
const ACCOUNT = 'S3RVER:S3RVER'

export type Bucket = { readonly url: string; stop(): Promise<void> }

/** A local S3 server with one bucket, and its address for `S3_URL`. */
export async function startBucket(name: string): Promise<Bucket> {
  const directory = mkdtempSync(join(tmpdir(), 'fairlot-bucket-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name }],
  })
  const { port } = await server.run()
  return {
    url: `s3://${ACCOUNT}@127.0.0.1:${port}/${name}?tls=0`,
    stop: async () => {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
