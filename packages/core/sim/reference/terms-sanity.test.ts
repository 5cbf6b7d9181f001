import { expect, test } from 'vitest'
import { decideTerms, isRejection, type Instrument } from '../../src/index.ts'
import { createRandom } from '../../../../testing/random.ts'
import { actingOperator } from '../acting-operator.ts'
import { createCounts } from '../counts.ts'
import { createEpisode } from '../episode.ts'
import { isImplausible } from './terms-sanity.ts'

test('an instrument whose currency no pair converts cannot be switched on, in core and model alike', () => {
  const { host, model, random } = createEpisode(createRandom(8), 1, createCounts())
  const { state } = host.core
  const lost = [...state.instruments.values()].find(({ quoteCurrency }) => quoteCurrency === 'XXX')
  if (!lost) throw new Error('every currency is converted')
  const off: Instrument = { ...lost, isEnabled: false }
  state.instruments.set(lost.id, off)
  model.instruments = model.instruments.map((each) => (each.id === lost.id ? off : each))
  const by = actingOperator(random, model)
  const outcomes = [true, false].map((isEnabled) => {
    const change = { kind: 'instrument', instrument: { ...off, isEnabled }, listing: null } as const
    const at = host.world.startsAt
    const decided = decideTerms(state, { type: 'setTerms', at, change, effectiveAt: null, by })
    return [isRejection(decided) && decided.rejected, isImplausible(model, change)]
  })
  expect(outcomes).toEqual([
    ['termsInvalid', true],
    [false, false],
  ])
})
