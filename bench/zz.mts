import { load, prepareBytes } from "./load.ts"; import { setUp, startServer } from "./server.ts";
const server = await startServer(); const owner = await setUp(server.port); const pings:any[]=[];
for (let p=0;p<2;p++){ const pr:any=await owner.post("/api/projects",{key:`MON${p}`,name:`M${p}`}); for(let n=0;n<500;n++){const m:any=await owner.post(`/api/projects/${pr.id}/monitors`,{slug:`job-${n}`,name:`Job ${n}`,schedule:{type:"interval",value:1,unit:"day"}}); pings.push(prepareBytes(new URL(m.ping_url).pathname,Buffer.alloc(0)));}}
const run=(s:number)=>load({port:server.port,connections:200,perSecond:500,seconds:s,expectedStatus:200,next:(n)=>pings[n%pings.length]});
await run(3); const b=await server.usage(); const r=await run(8); const a=await server.usage();
console.log(r.ok, r.other, "server",((a.server.cpu-b.server.cpu)/r.ok*1e6).toFixed(0),"pg",((a.postgres.cpu-b.postgres.cpu)/r.ok*1e6).toFixed(0)); await server.stop();
