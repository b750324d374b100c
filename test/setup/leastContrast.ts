/** Whether texts of a page are readable, computed in the page. */

/** The lowest contrast of any visible text, and the text: AA requires 4.5. */
export const LEAST_CONTRAST = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((value, at) => value * a + under[at] * (1 - a));
  const backgroundOf = (element) => {
    const under = element.parentElement ? backgroundOf(element.parentElement) : [1, 1, 1];
    return over(rgba(getComputedStyle(element).backgroundColor), under);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let least = { contrast: 21, text: '' };
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data).join('').trim();
    if (text === '' || element.getClientRects().length === 0) continue;
    const background = backgroundOf(element);
    const color = over(rgba(getComputedStyle(element).color), background);
    const [dark, bright] = [light(color), light(background)].sort((a, b) => a - b);
    const contrast = (bright + 0.05) / (dark + 0.05);
    if (contrast < least.contrast) least = { contrast, text };
  }
  return least;
})()`;
