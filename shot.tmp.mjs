import { chromium } from 'playwright';
const [,, port, example, out, w='1440', h='900', opts=''] = process.argv;
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const ctx = await b.newContext({ viewport: { width: +w, height: +h }, colorScheme: opts.includes('dark') ? 'dark' : 'light', locale: opts.includes('zh') ? 'zh-CN' : 'en-US', isMobile: +w < 500, hasTouch: +w < 500 });
const p = await ctx.newPage();
p.on('console', m => m.type()==='error' && console.log('console', m.text()));
p.on('pageerror', e => console.log('pageerror', e.message));
await p.goto(`http://127.0.0.1:${port}/`); await p.waitForTimeout(2500); await p.locator('.example-trigger').click(); await p.waitForTimeout(500); await p.getByText(example).first().click({timeout:5000}).catch(e=>console.log(e.message));
await p.waitForTimeout(4000);
if (opts.includes('why')) { await p.keyboard.press('y'); await p.waitForTimeout(3000); }
await p.screenshot({ path: out });
console.log(await p.title(), (await p.url()).slice(0,200));
await b.close();
