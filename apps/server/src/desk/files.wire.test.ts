import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DESK_FILE_PATH, mayDo, ROLES } from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rendered } from '../platform/files/testing/pictures.ts'
import { fetchAs, upload } from '../platform/files/testing/sending.ts'
import { newUser, type TestUser } from '../testing/accounts.ts'
import { atDesk } from '../testing/desk.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

describe.each(DATABASES)("a user's picture at the desk, %s", (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-files-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9', DATA_DIR: dataDir } })
  let owner: TestUser
  let key: string
  beforeAll(async () => {
    owner = await newUser(server())
    const url = await upload(server(), owner.token, await rendered(60, 30).png().toBuffer())
    key = url.slice(url.lastIndexOf('/') + 1)
  })
  const views = () =>
    server()
      .deployment.database.queries.selectFrom('desk_act')
      .select(['operator_name', 'subject', 'account_id', 'outcome', 'after'])
      .where('act', '=', 'viewProof')
      .orderBy('id')
      .execute()

  test.each(ROLES)(
    'is shown to %s only if the role may see it, with an audit entry either way',
    async (role) => {
      const operator = await atDesk(server(), role)
      const before = (await views()).length
      const { status, headers, bytes } = await fetchAs(server(), operator.token, `${DESK_FILE_PATH}${key}`)
      const isAllowed = mayDo(role, 'viewProof')
      expect(status).toBe(isAllowed ? 200 : 403)
      expect(headers.get('content-type')).toContain(isAllowed ? 'image/jpeg' : 'application/json')
      expect(bytes.length).toBeGreaterThan(20)
      const written = (await views()).slice(before)
      expect(written).toMatchObject([
        { operator_name: operator.name, outcome: isAllowed ? 'done' : 'roleRefused' },
      ])
      if (isAllowed)
        expect(written[0]).toMatchObject({
          subject: `picture:${key}`,
          account_id: BigInt(owner.user.id),
          after: expect.stringContaining(key),
        })
    },
  )

  test('is not found by an unknown key, which is not recorded', async () => {
    const { token } = await atDesk(server(), 'finance')
    const before = (await views()).length
    const { status } = await fetchAs(server(), token, `${DESK_FILE_PATH}${'A'.repeat(32)}`)
    expect(status).toBe(404)
    expect((await views()).length).toBe(before)
  })

  test("is not shown at the desk to the owner's token, nor by the user's call to an operator's", async () => {
    const { token } = await atDesk(server(), 'finance')
    for (const [who, url] of [
      [owner.token, `${DESK_FILE_PATH}${key}`],
      [token, `/api/common/image/${key}`],
    ] as const) {
      const { bytes } = await fetchAs(server(), who, url)
      expect(JSON.parse(String(bytes))).toMatchObject({ data: { reason: 'sessionGone' } })
    }
  })
})
