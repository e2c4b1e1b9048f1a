// What the pictures of the right panel show: an agent that asks, and a change with a comment on it.
import type { Page } from "playwright-core";

/** Of the terminal whose row has this name. */
export async function showInspector(page: Page, name: string): Promise<void> {
  await page.locator(".dock-row", { hasText: name }).first().click();
  await page.keyboard.press("Control+Shift+\\");
  await page.locator(".why-source").waitFor();
  await page.getByRole("textbox", { name: "Text", exact: true }).fill("Only the first time, please.");
}

export async function showComments(page: Page, name: string, file: string): Promise<void> {
  await page.locator(".dock-row", { hasText: name }).first().click();
  await page.keyboard.press("Control+Shift+E");
  const handle = await page.getByRole("separator", { name: "Width of the panel" }).boundingBox();
  if (!handle) throw new Error("The panel has no edge to drag.");
  await page.mouse.move(handle.x + 4, 500);
  await page.mouse.down();
  await page.mouse.move(handle.x - 340, 500, { steps: 5 });
  await page.mouse.up();
  await page.getByRole("button", { name: /^Uncommitted/ }).click();
  await page.locator(".file-row", { hasText: file }).click();
  await page.locator('.code-row[data-kind="added"] [data-role]').first().waitFor();
  const added = page.locator('.code-row[data-kind="added"] .code-numbers');
  await added.first().click();
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.getByLabel(/^Comment on/).fill("Say in the name that these are cents.");
  await page.getByRole("button", { name: "Add comment" }).click();
  await page.getByRole("button", { name: "Show 1 comment" }).click();
  await page.mouse.move(5, 500);
}
