async function main() {
  const { load } = await import('webhlo');
  const { load: loadWorker } = await import('webhlo/worker');
  const { report } = await import('./program.js');
  console.log(JSON.stringify(await report({ load, loadWorker })));
}

main();
