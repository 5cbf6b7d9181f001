import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** The account that this server of buckets knows. Signatures are checked against it. */
const ACCOUNT = 'S3RVER:S3RVER'

export type Bucket = { readonly url: string; stop(): Promise<void> }

/** An S3 server of this machine with one bucket, and the address that `S3_URL` takes. */
export async function startBucket(name: string): Promise<Bucket> {
  const directory = mkdtempSync(join(tmpdir(), 'fairlot-bucket-'))
  const server = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory },
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
