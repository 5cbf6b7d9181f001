import { expect, test } from 'vitest'
import { createIntentions } from './intentions.ts'

function named() {
  let count = 0
  return createIntentions(() => `name ${(count += 1)}`)
}

test('a second tap with the same intention sends the same name', () => {
  const intentions = named()
  expect(intentions.nameOf('close 9', '{"lots":500}')).toBe('name 1')
  expect(intentions.nameOf('close 9', '{"lots":500}')).toBe('name 1')
})

test('what is done is done: the same again is another change', () => {
  const intentions = named()
  intentions.nameOf('close 9', '{"lots":500}')
  intentions.done('close 9')
  expect(intentions.nameOf('close 9', '{"lots":500}')).toBe('name 2')
})

test('a changed form is another change, and so is going back to the first', () => {
  const intentions = named()
  const names = ['{"lots":500}', '{"lots":300}', '{"lots":500}'].map((payload) =>
    intentions.nameOf('close 9', payload),
  )
  expect(names).toEqual(['name 1', 'name 2', 'name 3'])
})

test('changes of two orders do not disturb each other', () => {
  const intentions = named()
  const names = ['close 9', 'close 8', 'close 9'].map((subject) => intentions.nameOf(subject, '{}'))
  expect(names).toEqual(['name 1', 'name 2', 'name 1'])
})

test('a new user means nothing of what the last one meant', () => {
  const intentions = named()
  intentions.nameOf('close 9', '{}')
  intentions.forget()
  expect(intentions.nameOf('close 9', '{}')).toBe('name 2')
})

test('the oldest is forgotten when there are very many', () => {
  const intentions = named()
  for (let id = 0; id <= 200; id += 1) intentions.nameOf(`close ${id}`, '{}')
  expect(intentions.nameOf('close 1', '{}')).toBe('name 2')
  expect(intentions.nameOf('close 0', '{}')).toBe('name 202')
})
