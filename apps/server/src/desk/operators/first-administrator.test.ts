import { expect, test } from 'vitest'
import { createHasher } from '../../platform/security/password-hash.ts'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { makeFirstAdministrator } from './first-administrator.ts'

onEveryDatabase('the first administrator', (databases) => {
  const make = async (given: string | null) => {
    const { queries } = await databases.open()
    return {
      queries,
      made: makeFirstAdministrator(queries, createHasher(), given, 1),
    }
  }

  test.each([
    ['short', /DESK_PASSWORD is wrong: it must have at least 8 characters/],
    ['x'.repeat(129), /at most 128 characters/],
    ['password1', /too common/],
    ['Qwertyuiop1!', /too common/],
    ['12345678', /too common/],
  ])('is not created with the password %j, and the start fails with the reason', async (given, sentence) => {
    const { queries, made } = await make(given)
    await expect(made).rejects.toThrow(sentence)
    expect(await queries.selectFrom('operator').selectAll().execute()).toEqual([])
  })

  test('has the given password, or a generated one', async () => {
    const given = await make('nine brass weights')
    expect(await given.made).toBeNull()
    // A later start ignores it.
    expect(await makeFirstAdministrator(given.queries, createHasher(), 'short', 2)).toBeNull()
    expect(await (await make(null)).made).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
  })
})
