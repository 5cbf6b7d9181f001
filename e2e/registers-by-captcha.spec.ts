import { agree, choosePassword, newAddress, noteOf } from './support/accounts.ts'
import { expect, testAlone as test } from './support/journey.ts'

test('a visitor registers by the digits of a picture', async ({ page, start }) => {
  const server = await start(
    { FEED: 'simulated:1', SETTING_REGISTRATION_CHECK: 'captcha' },
    'e2e/support/captcha-server.ts',
  )
  const drawn = () => [...server.output().matchAll(/^Captcha (\d{5})$/gm)].map(([, digits = '']) => digits)
  const address = newAddress()
  const main = page.getByRole('main')
  const digits = main.getByRole('textbox', { name: 'Digits of the picture' })
  const picture = main.getByRole('img', { name: 'Picture with five digits' })
  await page.goto(`${server.url}/#/register`)
  await expect(picture).toBeVisible()
  // A picture, and not what a picture would be if it could not be drawn.
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)

  await test.step('another picture comes for the asking', async () => {
    const before = await picture.getAttribute('src')
    await digits.fill('12')
    await main.getByRole('button', { name: 'New picture' }).click()
    await expect(picture).not.toHaveAttribute('src', before ?? '')
    await expect(digits).toHaveValue('')
    expect(drawn()).toHaveLength(2)
  })

  await main.getByRole('textbox', { name: 'E-mail address' }).fill(address)
  await choosePassword(page, 'Choose a password')
  await agree(page)

  await test.step('wrong digits bring a new picture, and nothing else typed is lost', async () => {
    await digits.fill(drawn().at(-1) === '00000' ? '11111' : '00000')
    await main.getByRole('button', { name: 'Open an account' }).click()
    await expect(await noteOf(digits)).toContainText('picture')
    await expect.poll(() => drawn().length).toBe(3)
    await expect(main.getByRole('textbox', { name: 'E-mail address' })).toHaveValue(address)
  })

  await digits.fill(drawn().at(-1) ?? '')
  await main.getByRole('button', { name: 'Open an account' }).click()
  await expect(page).toHaveURL(/#\/$/)
  await page.goto(`${server.url}/#/user`)
  await expect(main.getByText(address)).toBeVisible()
})
