import { describe, expect, it } from 'vitest'
import { START_OF_TEST } from '../../../../../testing/test-world.ts'
import type { Deployment } from '../../deployment/deployment.ts'
import { createAuditLog } from '../../desk/audit-log/audit-log.ts'
import { createEngineCommands } from '../../desk/audit-log/engine-commands.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import { createDeskHub } from '../../desk/desk-socket.ts'
import { addOperator } from '../../desk/operators/operators.ts'
import type { Engine } from '../../engine/engine.ts'
import { createFollowUps } from '../../engine/follow-ups.ts'
import type { Queries } from '../../platform/database/open.ts'
import { createHarness } from '../../testing/engine-harness.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { verify } from '../../verify/verify.ts'
import { createHalts } from './halts.ts'

const DEALER = { id: 1, name: 'Ada', role: 'dealing' } as const
const EURUSD = { scope: 'instrument', instrumentId: 1, category: null } as const

/** Halts of one run of the server. */
function openHalts(queries: Queries, engine: Engine, now: () => number) {
  const auditLog = createAuditLog(queries, now, () => undefined)
  const followUps = createFollowUps({ queries, engine, now })
  const engineCommands = createEngineCommands(followUps, auditLog, async () => null)
  const deployment = { engine } as Deployment
  const services = { deployment, auditLog, engineCommands, hub: createDeskHub() } as DeskServices
  return { halts: createHalts(services), settle: followUps.settle }
}

describe.each(everyDatabase)('a halt, $kind', (databases) => {
  it('has its audit entry after the next start where the process was killed between the two', async () => {
    const database = await databases.open()
    const { engine, clock } = await createHarness(database)
    const now = () => clock.at
    const { queries } = database
    const { name, role } = DEALER
    await queries
      .transaction()
      .execute((within) => addOperator(within, { name, role, password_hash: 'none' }, START_OF_TEST))
    const execute: Engine['execute'] = async (command) => {
      await engine.execute(command)
      throw new Error('killed')
    }
    const killed = openHalts(queries, { ...engine, execute }, now)
    await expect(killed.halts.halt(DEALER, { ...EURUSD, reason: 'odd prices' })).rejects.toThrow('killed')
    expect(engine.state().halts.get(1)).toBe('odd prices')

    await openHalts(queries, engine, now).settle()
    const entries = await queries.selectFrom('desk_act').select(['act', 'reason', 'after']).execute()
    expect(entries).toEqual([{ act: 'halt', reason: 'odd prices', after: '{"halted":["EURUSD"]}' }])
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })
})
