import { SETTINGS_OF_TWO } from '@fairlot/contract/desk'
import { recordByDeployment } from '../desk/audit-log/audit-log.ts'
import { storedSettings } from '../platform/config/app-settings.ts'
import type { Queries } from '../platform/database/open.ts'
import { hasRecordedValue } from './desk-settings.ts'

/**
 * Writes an audit entry of the deployment for each setting of two operators that has none with its value: at the first
 * start, or at the first of this version on an older database. `verify` compares the table with it. `at`: epoch ms.
 */
export async function recordSettingsOfTwo(queries: Queries, at: number): Promise<void> {
  await queries.transaction().execute(async (within) => {
    const stored = await storedSettings(within)
    for (const name of SETTINGS_OF_TWO) {
      const value = stored[name]
      if (value === undefined || (await hasRecordedValue(within, name))) continue
      const reason = 'the value in force at a start, which no earlier entry names'
      const after = { value }
      await recordByDeployment(
        within,
        { act: 'changeSettings', subject: `setting:${name}`, reason, after },
        at,
      )
    }
  })
}
